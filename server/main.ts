import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Later starts reuse what an earlier one compiled. The cache lies beside the code and belongs to whoever may change
// the code; where it cannot be written, Howl starts without it.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/howl', import.meta.url)))
await import('./start.ts')
