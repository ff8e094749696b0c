import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { expect, test } from 'vitest'
import { inside } from './nodemailer-inside.ts'

const EHLO = [
  '250-mail.example',
  '250-PIPELINING',
  '250-8BITMIME',
  '250-SMTPUTF8',
  '250-AUTH PLAIN XOAUTH2',
  '250 SIZE 5000',
]

test('the private parts of a connection are where they were: an update of Nodemailer that moves one fails here', async () => {
  const server = createServer((client) => {
    client.write('220 mail.example\r\n')
    client.on('data', (line) => {
      if (line.toString().startsWith('EHLO')) client.write(`${EHLO.join('\r\n')}\r\n`)
    })
    client.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connection = new SMTPConnection({ host: '127.0.0.1', port, ignoreTLS: true })
  await new Promise<void>((resolve, reject) => {
    connection.once('error', reject)
    connection.connect(() => resolve())
  })
  const { _socket: socket, _ehloLines, _supportedExtensions, _maxAllowedSize } = inside(connection)
  expect(socket).toBeInstanceOf(Socket)
  // Replies are taken over by taking this listener away.
  expect(socket && socket.listenerCount('data')).toBe(1)
  expect(_ehloLines).toContain('AUTH PLAIN XOAUTH2')
  expect(_supportedExtensions.toSorted()).toEqual(['8BITMIME', 'PIPELINING', 'SIZE', 'SMTPUTF8'])
  expect(_maxAllowedSize).toBe(5000)
  connection.close()
  await new Promise((resolve) => server.close(resolve))
})
