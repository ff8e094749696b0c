import type { Address } from '../../mail/addresses.ts'
import { addressKey, isSendable, parseAddressList, wireAddress } from '../../mail/addresses.ts'

/** Bare addresses for the server, each once. */
export function envelopeOf(addresses: readonly Address[]): string[] {
  return [
    ...new Map(addresses.map(({ address }) => [addressKey(address), wireAddress(address)] as const)).values(),
  ]
}

/** The recipients of a mail by the lines that are stored with it. */
export function storedEnvelope(lines: readonly string[]): string[] {
  return envelopeOf(lines.flatMap(parseAddressList).filter(({ address }) => isSendable(address)))
}
