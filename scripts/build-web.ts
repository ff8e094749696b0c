// Builds the web pages into dist/web: hashed assets, `index.html` (the landing page, already rendered) for `/`,
// `app.html` for every other page, and .br and .gz copies of everything that they make smaller.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'dist/web')
const prerenderOut = join(root, 'dist/prerender')

// Below this a compressed copy saves less than a packet.
const WORTH_COMPRESSING_BYTES = 1_000
const COMPRESSIBLE = /\.(?:js|css|html|svg|txt|json)$/

await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
await prerenderLanding()
await compressAll()

async function prerenderLanding() {
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: join(root, 'web/landing/prerender.tsx'),
      outDir: prerenderOut,
      rolldownOptions: { input: join(root, 'web/landing/prerender.tsx') },
    },
  })
  const { renderLanding } = (await import(pathToFileURL(join(prerenderOut, 'prerender.js')).href)) as {
    renderLanding: () => string
  }
  const landing = renderLanding()
  // The server's policy forbids both; a slip would only be seen in the browser's console.
  if (/\sstyle="|<script/.test(landing))
    throw new Error('the prerendered landing page holds inline styles or scripts')
  const page = join(out, 'index.html')
  const html = await readFile(page, 'utf8')
  const filled = html.replace('<!--prerendered-->', () => landing)
  if (filled === html) throw new Error('web/index.html has lost its <!--prerendered--> mark')
  await writeFile(page, filled)
  await rm(prerenderOut, { recursive: true, force: true })
}

async function compressAll() {
  const entries = await readdir(out, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
  await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))))
}

async function compress(file: string) {
  const bytes = await readFile(file)
  if (bytes.length < WORTH_COMPRESSING_BYTES) return
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ])
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, zipped)])
}
