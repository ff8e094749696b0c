import type { FastifyRequest } from 'fastify'
import { BASE_PATH } from '#contract/platform/endpoint.ts'
import type { Server } from './server.ts'

/** Read by people and programs under the limit that all calls have. */
const DOCUMENTATION = { method: 'GET', path: '/docs', access: 'public', summary: 'How to call Howl' } as const

type Operation = {
  summary?: string
  security?: unknown
  parameters?: { name: string; in: string; required?: boolean; schema?: unknown }[]
  requestBody?: { content?: Record<string, { schema?: unknown }> }
  responses?: Record<string, { content?: Record<string, { schema?: unknown }> }>
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const json = (value: unknown) => `<pre>${escape(JSON.stringify(value, null, 2))}</pre>`

/** Serves the OpenAPI document and a script-free page made from it. */
export function serveReferencePage(app: Server): void {
  const { limits } = app.howl
  const plain = {
    schema: { hide: true },
    config: { access: 'public' as const },
    onRequest: (request: FastifyRequest) => limits.call(DOCUMENTATION, request),
  }
  app.get(`${BASE_PATH}/openapi.json`, plain, () => app.swagger())
  app.get('/api/docs', plain, (_, reply) => reply.type('text/html; charset=utf-8').send(page(app)))
}

function page(app: Server): string {
  const document = app.swagger() as {
    info: { version: string }
    paths?: Record<string, Record<string, Operation>>
  }
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(method.toUpperCase(), path, operation)),
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Howl API</title></head><body><main><h1>Howl API ${escape(document.info.version)}</h1>
<p>JSON in and out. Send <code>Authorization: Bearer …</code> with calls marked “signed in”. Every answer of 400 and above is
<code>{ "detail", "code"?, "fields"? }</code>. <a href="${BASE_PATH}/openapi.json">OpenAPI document</a>.</p>
${operations.join('\n')}</main></body></html>`
}

function section(method: string, path: string, operation: Operation): string {
  const body = operation.requestBody?.content?.['application/json']?.schema
  const reply = operation.responses?.['200']?.content?.['application/json']?.schema
  const parameters = operation.parameters?.map(
    (each) =>
      `<li><code>${escape(each.name)}</code> in ${each.in}${each.required === true ? ', required' : ''}</li>`,
  )
  return `<section><h2><code>${method} ${escape(path)}</code></h2>
<p>${escape(operation.summary ?? '')}${operation.security === undefined ? '' : ' (signed in)'}</p>
${parameters === undefined ? '' : `<ul>${parameters.join('')}</ul>`}
${body === undefined ? '' : `<details><summary>Body</summary>${json(body)}</details>`}
${reply === undefined ? '' : `<details><summary>Reply</summary>${json(reply)}</details>`}</section>`
}
