import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// What one start has compiled the next one need not. The cache lies beside the code and belongs to whoever may change
// the code; where nothing can be written Howl starts without it.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/howl', import.meta.url)))
await import('./start.ts')
