import {
  type Address,
  addressKey,
  isSendable,
  parseAddressList,
  wireAddress,
} from '../../../formats/mail-text/addresses.ts'

/** Bare addresses as they go to the server, each of them once. */
export function envelopeOf(addresses: readonly Address[]): string[] {
  return [
    ...new Map(addresses.map(({ address }) => [addressKey(address), wireAddress(address)] as const)).values(),
  ]
}

/** The recipients of an email, from its stored To, Cc and Bcc lines. */
export function storedEnvelope(lines: readonly string[]): string[] {
  return envelopeOf(lines.flatMap(parseAddressList).filter(({ address }) => isSendable(address)))
}
