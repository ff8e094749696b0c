import diagnostics from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** Notes every connection that this process opens, as "host:port". */
export function watchDials(): { dialled: Set<string>; stop(): void } {
  const dialled = new Set<string>()
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (address: string, port: number) => dialled.add(`${address}:${port}`))
    socket.on('lookup', (_error: unknown, address: string, _family: unknown, host: string) =>
      dialled.add(`${host} ${address}`),
    )
  }
  diagnostics.subscribe('net.client.socket', note)
  return { dialled, stop: () => void diagnostics.unsubscribe('net.client.socket', note) }
}
