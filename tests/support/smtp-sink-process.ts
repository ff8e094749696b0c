import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { startSmtpSink, type SinkAction, type SinkOptions, type SinkStep } from './smtp-sink.ts'

// A sink in a process of its own: `node tests/support/smtp-sink-process.ts '{"light":true}'` prints one line of JSON,
// {"port":…,"control":…}, and lives until it is killed or its standard input ends.
//   GET /count → {"count":…}      GET /ids → {"<message-id>": [connection, …], …}      GET /connections → {open, most, total}
//   POST /rules [{"step":"dot","action":"drop","every":10}] replaces the rules      POST /clear forgets all mails

/** `every` applies the action each n-th time that the step is reached, `times` limits how often; both are optional. */
export type SinkRule = { step: SinkStep; action: SinkAction; every?: number; times?: number }

const options = JSON.parse(process.argv[2] ?? '{}') as SinkOptions
const sink = await startSmtpSink({ light: true, ...options })

const control = createServer((request, response) => {
  const answer = (value: unknown) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  }
  if (request.method === 'POST' && request.url === '/rules') {
    void readBody(request).then((body) => {
      setRules(JSON.parse(body) as SinkRule[])
      answer({ ok: true })
    })
  } else if (request.method === 'POST' && request.url === '/clear') {
    sink.clear()
    answer({ ok: true })
  } else if (request.url === '/ids') answer(Object.fromEntries(sink.byMessageId))
  else if (request.url === '/connections') answer(sink.connections)
  else answer({ count: sink.count })
})

async function readBody(request: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

function setRules(rules: SinkRule[]): void {
  const counters = rules.map(() => ({ reached: 0, done: 0 }))
  sink.setScript(({ step }) => {
    for (const [index, rule] of rules.entries()) {
      const counter = counters[index]
      if (rule.step !== step || !counter) continue
      counter.reached += 1
      const due = counter.reached % (rule.every ?? 1) === 0 && counter.done < (rule.times ?? Infinity)
      if (!due) continue
      counter.done += 1
      return rule.action
    }
    return undefined
  })
}

control.listen(0, '127.0.0.1')
await once(control, 'listening')
process.stdout.write(
  `${JSON.stringify({ port: sink.port, control: (control.address() as AddressInfo).port })}\n`,
)
// The parent holds our standard input: when it dies, in whatever way, this process ends too.
process.stdin.resume().once('end', () => process.exit(0))
