import { parseSync } from 'vite'

type Node = { type: string; [key: string]: unknown }

const NAMED = new Set([
  'VariableDeclarator',
  'FunctionDeclaration',
  'ClassDeclaration',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
])
const KEYED = new Set([
  'Property',
  'PropertyDefinition',
  'MethodDefinition',
  'TSPropertySignature',
  'TSMethodSignature',
])

/** Every name that a TypeScript file declares: variables, parameters, functions, classes, types and properties. */
export function declaredNames(file: string, source: string): Set<string> {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each)
    if (!isNode(value)) return
    if (NAMED.has(value.type)) bind(value.id)
    if (KEYED.has(value.type) && value.computed !== true) bind(value.key)
    if (value.type === 'ImportSpecifier' && nameOf(value.local) !== nameOf(value.imported)) bind(value.local)
    if (value.type === 'CatchClause') bind(value.param)
    if (Array.isArray(value.params)) for (const param of value.params) bind(param)
    for (const child of Object.values(value)) visit(child)
  }
  /** Takes the names of a parameter or of a destructured pattern, however deep. */
  const bind = (pattern: unknown): void => {
    if (!isNode(pattern)) return
    if (pattern.type === 'Identifier') names.add(nameOf(pattern) ?? '')
    else if (pattern.type === 'AssignmentPattern') bind(pattern.left)
    else if (pattern.type === 'RestElement') bind(pattern.argument)
    else if (Array.isArray(pattern.elements)) for (const element of pattern.elements) bind(element)
    else if (Array.isArray(pattern.properties))
      for (const property of pattern.properties)
        bind(isNode(property) && 'value' in property ? property.value : property)
  }
  visit(parseSync(file, source).program.body)
  return names
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function nameOf(value: unknown): string | undefined {
  return isNode(value) && typeof value.name === 'string' ? value.name : undefined
}
