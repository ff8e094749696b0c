import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { build as viteBuild, type Rolldown } from 'vite'
import { expect, test, vi } from 'vitest'

/** The scripts that a page may fetch before it can be used, in kB. */
const PAGES = [
  ['/emails', 150, 'web/mail/emails/EmailsPage.tsx'],
  ['/invoices', 170, 'web/invoicing/invoices/InvoicesPage.tsx'],
  ['/invoices/all', 160, 'web/invoicing/invoices/list/InvoiceListPage.tsx'],
  ['/simon', 185, 'web/assistant/wolfy.ts'],
] as const

test.each(PAGES)('the page at %s works after at most %d kB of scripts', async (path, mostKb, page) => {
  const chunks = await builtChunks()
  const needed = closureOf(chunks, ['web/app.html', page])
  const sizes = await Promise.all(
    [...needed].map(async ({ name, code }) => ({
      name,
      bytes: (await promisify(gzip)(code, { level: 9 })).length,
    })),
  )
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const parts = sizes.toSorted((one, other) => other.bytes - one.bytes)
  const lines = parts.map(({ name, bytes }) => `${kb(bytes).padStart(8)}  ${name}`)
  process.stdout.write(`Scripts of ${path}, gzip: ${kb(total)}\n${lines.join('\n')}\n`)
  expect(total / 1000).toBeLessThanOrEqual(mostKb)
})

/** What Wolfy's widget may add to every page before it is opened, in kB. */
const WIDGET_KB = 3

test(`the closed widget is at most ${WIDGET_KB} kB, and nothing else of it is loaded`, async () => {
  const chunks = await builtChunks()
  for (const page of ['web/mail/emails/EmailsPage.tsx', 'web/accounts/pricing/PricingPage.tsx']) {
    const modules = [...closureOf(chunks, ['web/app.html', page])].flatMap((chunk) =>
      Object.entries(chunk.modules),
    )
    const own = modules.filter(
      ([id]) => id.includes('/web/assistant/') || id.endsWith('/contract/assistant.ts'),
    )
    expect(own.map(([id]) => path.basename(id)).toSorted()).toEqual(['WolfyButton.tsx'])
    const code = own.map(([, module]) => module.code ?? '').join('\n')
    const bytes = (await promisify(gzip)(code, { level: 9 })).length
    process.stdout.write(`Wolfy's button on ${page}, gzip: ${kb(bytes)}\n`)
    expect(bytes).toBeGreaterThan(100)
    expect(bytes / 1000).toBeLessThanOrEqual(WIDGET_KB)
  }
})

test('no two scripts wait for each other', async () => {
  const chunks = await builtChunks()
  const above = chunks.filter((chunk) =>
    chunk.imports.some((name) => {
      const imported = chunks.find(({ fileName }) => fileName === name)
      return imported !== undefined && reach(chunks, imported).has(chunk)
    }),
  )
  expect(above.map(({ fileName }) => fileName)).toEqual([])
})

const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

let built: Promise<Rolldown.OutputChunk[]> | undefined
const builtChunks = () => (built ??= build())

/** The pages' scripts as `npm run build` makes them, kept in memory. */
async function build(): Promise<Rolldown.OutputChunk[]> {
  // Under test the bundle would contain React's development build.
  vi.stubEnv('NODE_ENV', 'production')
  const configFile = new URL('../vite.config.ts', import.meta.url).pathname
  const made = await viteBuild({ configFile, logLevel: 'error', mode: 'production', build: { write: false } })
  // Other files run in the same process.
  vi.unstubAllEnvs()
  if (Array.isArray(made) || !('output' in made)) throw new Error('One build was expected')
  return made.output.filter((part) => part.type === 'chunk')
}

/** The chunks of these modules with everything that they import before they run. */
function closureOf(chunks: readonly Rolldown.OutputChunk[], modules: readonly string[]) {
  const starts = modules.map((module) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
    if (chunk === undefined) throw new Error(`${module} has no chunk of its own`)
    return chunk
  })
  return reach(chunks, ...starts)
}

/** These chunks and all that they import before they run. */
function reach(
  chunks: readonly Rolldown.OutputChunk[],
  ...starts: Rolldown.OutputChunk[]
): Set<Rolldown.OutputChunk> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const reached = new Set<Rolldown.OutputChunk>()
  const take = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (chunk === undefined || reached.has(chunk)) return
    reached.add(chunk)
    for (const name of chunk.imports) take(byName.get(name))
  }
  starts.forEach(take)
  return reached
}
