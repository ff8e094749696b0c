import nodemailer from 'nodemailer'

// The bare baseline of sending: Nodemailer's own pool in a separate process, without state.

export type PoolOrder = { host: string; port: number; connections: number; mails: number; textBytes: number }

const order = JSON.parse(process.argv[2] ?? '{}') as PoolOrder
const pool = nodemailer.createTransport({
  pool: true,
  host: order.host,
  port: order.port,
  secure: false,
  ignoreTLS: true,
  maxConnections: order.connections,
  maxMessages: Infinity,
  auth: { user: 'ada', pass: 'secret' },
})
const filler = 'Would you have fifteen minutes this week or next for a short call?\n'.repeat(40)

process.once('message', () => {
  const sends = Array.from({ length: order.mails }, (_, n) =>
    pool.sendMail({
      from: { name: 'Ada Muster', address: 'ada@muster.example' },
      to: { name: `Person ${n}`, address: `person${n}@customer.example` },
      subject: `A question for Company ${n}`,
      text: `Hello Person ${n},\n\n${filler}`.slice(0, order.textBytes),
      list: { unsubscribe: { url: `https://howl.example/unsubscribe/${n}`, comment: '' } },
    }),
  )
  void Promise.all(sends).then(() => process.send?.({ done: true }))
})
process.send?.({ ready: true })
