import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { chunkGroups, isIcon } from './scripts/web-chunks.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig(({ isSsrBuild }) => ({
  root: here('web'),
  publicDir: here('web/public'),
  appType: 'mpa',
  plugins: [react(), tailwind(), twoPages(), withoutSummaries(), withoutIconKeys()],
  build: {
    outDir: here('dist/web'),
    emptyOutDir: true,
    // Our policy allows no data: fonts and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The one that makes PDFs is loaded by whoever wants one.
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      input: { index: here('web/index.html'), app: here('web/app.html') },
      // What a first view needs comes in few files: they pack smaller than many, and each file is a request. The landing
      // page that is rendered while building is nobody's request.
      output:
        isSsrBuild === true
          ? {}
          : {
              codeSplitting: { groups: chunkGroups(), includeDependenciesRecursively: false },
              // Names of scripts stand in other scripts, and a hash cannot be compressed: seven characters are enough.
              entryFileNames: 'assets/[name]-[hash:7].js',
              chunkFileNames: 'assets/[name]-[hash:7].js',
            },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: process.env['HOWL_SERVER'] ?? `http://127.0.0.1:${process.env['PORT'] ?? 8000}` },
    },
  },
}))

/** In development, as the server does in earnest: `/` is the landing page, any other page address is the app. */
function twoPages(): Plugin {
  return {
    name: 'howl-two-pages',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const wantsPage = request.headers.accept?.includes('text/html') && !request.url?.startsWith('/api/')
        if (wantsPage && request.url !== '/') request.url = '/app.html'
        next()
      })
    },
  }
}

/** What a call does in words is for the API page, which the server makes; no browser has to load it. */
function withoutSummaries(): Plugin {
  const summary = /\bsummary:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),/g
  return {
    name: 'howl-without-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) =>
      id.startsWith(here('contract/')) ? { code: code.replaceAll(summary, ''), map: null } : null,
  }
}

/**
 * Every line of an icon has a random key, which does not compress: together nearly a kilobyte before a first view. React
 * wants keys only to tell lines apart that change places, and those of an icon never do.
 */
function withoutIconKeys(): Plugin {
  return {
    name: 'howl-without-icon-keys',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) =>
      isIcon.test(id) ? { code: code.replaceAll(/, key: "\w+"/g, ''), map: null } : null,
  }
}
