import { ibanFault, plainAccount } from './bank-account.ts'

/** What a credit transfer in euros needs to know. */
export type EuroTransfer = {
  /** The account holder's name. */
  name: string
  iban: string
  bic: string
  /** Cents. */
  amount: number
  /** What the payer's bank tells the recipient: the number of the invoice. */
  text: string
}

/** The limits of EPC069-12, version 2.1: characters, and bytes of the whole. */
const NAME_MAX = 70
const TEXT_MAX = 140
const BYTES_MAX = 331
const AMOUNT_MAX = 99_999_999_999

const oneLine = (text: string, max: number) =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, max)
    .toWellFormed()
    .trim()
const bytesOf = (text: string) => new TextEncoder().encode(text).length

/**
 * The text of a QR code for a SEPA credit transfer (EPC069-12, version 002, UTF-8), which banking apps scan; null where it
 * cannot be one: no name, no valid IBAN, no amount.
 */
export function epcCode({ name, iban, bic, amount, text }: EuroTransfer): string | null {
  const account = plainAccount(iban)
  const isAmount = Number.isSafeInteger(amount) && amount >= 1 && amount <= AMOUNT_MAX
  if (account === '' || ibanFault(account) !== null || !isAmount) return null
  const euros = `EUR${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
  const lines = (holder: string) =>
    [
      'BCD', // service tag
      '002', // version
      '1', // UTF-8
      'SCT', // SEPA credit transfer
      /^[A-Z\d]{8}([A-Z\d]{3})?$/.test(plainAccount(bic)) ? plainAccount(bic) : '',
      holder,
      account,
      euros,
      '', // purpose
      '', // structured reference: a text follows instead
      oneLine(text, TEXT_MAX),
    ].join('\n')
  let holder = oneLine(name, NAME_MAX)
  while (holder !== '' && bytesOf(lines(holder)) > BYTES_MAX) holder = oneLine(holder.slice(0, -1), NAME_MAX)
  return holder === '' ? null : lines(holder)
}
