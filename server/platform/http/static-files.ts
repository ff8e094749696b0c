import fastifyStatic from '@fastify/static'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { BASE_PATH } from '#contract/platform/endpoint.ts'
import { notFound } from '../errors.ts'
import type { Server } from './server.ts'

const WEB = path.resolve(import.meta.dirname, '../../../dist/web')

/** Pages that are opened by a link with a token. */
const OWN_LINKS = /^\/(i|unsubscribe)\//

/**
 * Serves the built pages: `/` is the prerendered landing page, any other page the empty shell that the browser's
 * router fills. Assets have a hash in their name and are cached for a year.
 */
export async function serveStaticFiles(app: Server): Promise<void> {
  const { communityUrl } = app.howl.context.config
  app.get('/community', { schema: { hide: true } }, (_, reply) => reply.redirect(communityUrl ?? '/'))
  if (!existsSync(WEB)) {
    app.log.warn('The web pages are not built: only the calls are served. Build them with `npm run build`.')
    app.setNotFoundHandler(() => Promise.reject(notFound('There is nothing here.')))
    return
  }
  await app.register(fastifyStatic, {
    root: WEB,
    preCompressed: true,
    // Files that a build writes for its own use.
    dotfiles: 'ignore',
    index: false,
    cacheControl: false,
    setHeaders: (response, file) => {
      void response.header(
        'Cache-Control',
        file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  app.get('/', { config: { rateLimit: false }, schema: { hide: true } }, (_, reply) =>
    reply.sendFile('index.html'),
  )
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !request.url.startsWith(BASE_PATH) &&
      !/^\/(assets|fonts)\//.test(request.url) &&
      !/\/(\.|%2e)/i.test(request.url)
    if (!isPage) throw notFound('There is nothing here.')
    // What somebody's own link leads to is nothing for a search engine.
    if (OWN_LINKS.test(request.url)) void reply.header('X-Robots-Tag', 'noindex, nofollow')
    return reply.sendFile('app.html')
  })
}
