import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const own = [path.join(root, 'web/'), path.join(root, 'contract/')]

/** The views that people see first. What one of them needs before it shows anything comes in few files. */
const FIRST_VIEWS = {
  landing: 'web/landing/main.tsx',
  app: 'web/main.tsx',
  mail: 'web/mail/emails/EmailsPage.tsx',
}

type Graph = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }

/**
 * Which modules share a file. By itself the bundler makes one for every set of pages and dialogs that share something,
 * down to single icons, and each file is a request.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  const needs = new Map<string, ReadonlySet<string>>()
  const needsOf = (file: string, graph: Graph) => {
    const known = needs.get(file) ?? ownModulesFrom(path.join(root, file), graph)
    needs.set(file, known)
    return known
  }
  const viewsOf = (id: string, graph: Graph) =>
    Object.entries(FIRST_VIEWS).flatMap(([view, file]) => (needsOf(file, graph).has(id) ? [view] : []))
  return [
    // None of these imports our own code: a file that did could run before what it needs.
    { name: 'frame', test: isOfEveryPage, minShareCount: 2 },
    {
      debugName: 'first views',
      name: (id, graph) => nameOf(id, viewsOf(id, graph)),
      test: isOwn,
      minShareCount: 2,
    },
    // Cards, lists, empty states and the like: small, and on most pages.
    { name: 'panels', test: isControl, minShareCount: 7 },
    // A line or two each, and every name of a file costs the first view as much.
    { name: 'addresses', test: isAddress, minShareCount: 2 },
    { name: 'dates', test: isDate, minShareCount: 2 },
    { name: 'first-icons', test: isIcon, tags: ['$initial'], minShareCount: 2 },
    { name: 'icons', test: isIcon, minShareCount: 2 },
  ]
}

const isOfEveryPage =
  /node_modules\/(@tanstack\/(query-core|react-query)|react-router|zod)\/|\/contract\/platform\/(values|endpoint|errors|local-part)\.ts/
/** The module of one icon. */
export const isIcon = /node_modules\/lucide-react\/dist\/esm\/icons\//
const isAddress = /\/web\/.*-paths?\.ts$/
const isDate = /\/web\/platform\/dates\//
const isControl = /\/web\/platform\/ui\//
const isOwn = (id: string) => own.some((folder) => id.startsWith(folder))

/** The file of a module that these views need; null if it has none yet. */
function nameOf(id: string, views: readonly string[]): string | null {
  const needers = views.join('-')
  // What only the landing page needs shares its file, except what the app's pages use too.
  if (needers === '' || needers === 'landing') return null
  if (views.includes('app')) return views.includes('landing') ? 'landing-app' : 'app'
  // Other pages have the same controls, and need nothing else of the mail.
  return needers === 'mail' && isControl.test(id) ? 'controls' : needers
}

/** Our own modules that this one imports before it runs, and itself. */
function ownModulesFrom(file: string, graph: Graph): ReadonlySet<string> {
  const found = new Set<string>()
  const take = (id: string): void => {
    if (found.has(id) || !isOwn(id)) return
    found.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) take(imported)
  }
  take(file)
  return found
}
