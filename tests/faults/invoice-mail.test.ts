import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '../support/client.ts'
import { signUp } from '../support/factories.ts'
import { type HowlProcess, startHowlProcess } from '../support/howl-process.ts'
import { anInvoice } from '../support/invoices.ts'
import { mailAccountAt } from '../support/mail-account.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'

const MAILS = 6
const SETTLED = { timeout: 60_000, interval: 250 }

/** When Howl is killed: while PDFs are made and mails are stored, and while the mail server answers. */
const KILLS = ['asked', 'dot'] as const

test('invoices are sent once each, also with kills while they are made and while the mail server answers', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-faults-'))
  const settings = { DATA_DIR: dataDir, SECRET_KEY: 'a secret key that only the tests know of' }
  const sink = await startSmtpSink()
  let howl = await startHowlProcess(settings)
  try {
    const { token } = await signUp(howl.url)
    await call(howl.url, mailboxSetup.save, { token, body: mailAccountAt(sink) })
    for (const at of KILLS) {
      sink.clear()
      const ids: number[] = []
      for (let n = 0; n < MAILS; n++) {
        const body = anInvoice({ buyer: { name: 'Bea', email: `bea${n}@far.example` } })
        const { id } = (await call(howl.url, invoices.add, { token, body })).body
        await call(howl.url, invoices.issue, { token, params: { id } })
        ids.push(id)
      }
      const inTheMiddle = Promise.withResolvers<void>()
      let dots = 0
      sink.setScript(({ step }) => {
        if (at === 'dot' && step === 'dot' && (dots += 1) === 3) {
          inTheMiddle.resolve()
          return 'stall'
        }
        return undefined
      })
      const clicks = ids.flatMap((id, n) => [send(howl, token, id, n), send(howl, token, id, n)])
      const answered = Promise.allSettled(clicks)
      if (at === 'asked') void Promise.any(clicks).then(() => inTheMiddle.resolve())
      await inTheMiddle.promise
      await howl.kill()
      await answered
      sink.setScript(undefined)

      howl = await startHowlProcess(settings)
      // Whoever had no answer presses Send again.
      for (const [n, id] of ids.entries()) expect((await send(howl, token, id, n)).status).toBe(200)
      for (const id of ids) {
        await expect
          .poll(
            async () => (await call(howl.url, invoices.get, { token, params: { id } })).body.status,
            SETTLED,
          )
          .toBe('sent')
        const { body } = await call(howl.url, invoiceMail.mails, { token, params: { id } })
        expect(body).toMatchObject([{ state: 'sent' }])
      }
      // One mail to each; the server may have got the one that it was answering a second time, under the same Message-ID.
      expect(sink.byMessageId.size).toBe(MAILS)
      const received = [...sink.byMessageId.values()].map((connections) => connections.length)
      expect(received.filter((times) => times > 1).length).toBeLessThanOrEqual(at === 'dot' ? 2 : 1)
    }
  } finally {
    await howl.stop()
    await sink.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}, 240_000)

const send = (howl: HowlProcess, token: string, id: number, n: number) =>
  call(howl.url, invoiceMail.send, {
    token,
    params: { id },
    body: { to: `bea${n}@far.example`, subject: 'Your invoice', text: 'Here it is' },
  })
