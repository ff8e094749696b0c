// Account numbers as banks write them: IBAN (ISO 13616) and BIC (ISO 9362).

// How long an IBAN is, by its country (the registry of SWIFT).
const IBAN_LENGTHS: Record<string, number> = Object.fromEntries(
  (
    'NO15 BE16 BI27 DK18 FI18 FK18 FO18 GL18 NL18 SD18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 MN20 XK20 CH21 HR21 ' +
    'LI21 LV21 BG22 BH22 CR22 DE22 GB22 GE22 IE22 ME22 RS22 VA22 AE23 GI23 IL23 IQ23 OM23 SO23 TL23 AD24 CZ24 ES24 ' +
    'MD24 PK24 RO24 SA24 SE24 SK24 TN24 VG24 LY25 PT25 ST25 IS26 TR26 DJ27 FR27 GR27 IT27 MC27 MR27 SM27 ' +
    'AL28 AZ28 BY28 CY28 DO28 GT28 HN28 HU28 LB28 NI28 PL28 SV28 BR29 EG29 PS29 QA29 UA29 YE30 JO30 KW30 MU30 MT31 ' +
    'SC31 LC32 RU33'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** An account number as machines read it: without blanks, in capitals. */
export const plainAccount = (typed: string) => typed.replaceAll(/\s/g, '').toUpperCase()

/** An IBAN in groups of four, as it is printed. */
export const shownIban = (typed: string) => plainAccount(typed).replaceAll(/(.{4})(?=.)/g, '$1 ')

/** What is wrong with an IBAN, in a sentence; null if nothing, or if there is none. */
export function ibanFault(typed: string): string | null {
  const iban = plainAccount(typed)
  if (iban === '') return null
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(iban)) return 'An IBAN begins with two letters and two digits'
  const country = iban.slice(0, 2)
  const length = IBAN_LENGTHS[country]
  if (length === undefined) return `No IBAN begins with ${country}`
  if (iban.length !== length)
    return `An IBAN from ${country} has ${length} characters; this one has ${iban.length}`
  return remainderOf(iban) === 1 ? null : 'Please check this IBAN: a character is wrong'
}

// Digits stand for themselves and letters for 10 to 35; the country and the check digits count last (ISO 7064, MOD 97-10).
function remainderOf(iban: string): number {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}

/** What is wrong with a BIC, in a sentence; null if nothing, or if there is none. */
export function bicFault(typed: string): string | null {
  const bic = plainAccount(typed)
  if (bic === '') return null
  if (bic.length !== 8 && bic.length !== 11) return 'A BIC has 8 or 11 characters'
  return /^[A-Z]{6}[A-Z\d]{2}([A-Z\d]{3})?$/.test(bic) ? null : 'A BIC begins with six letters'
}
