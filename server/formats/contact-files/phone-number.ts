import { COUNTRIES, type CountryCode } from '#contract/platform/countries.ts'

/** Normalizes a phone number: "030 901820", written in Germany, becomes "+49 30 901820". */
export type PhoneReader = (typed: string) => string

/** As typed in the form. */
const PHONE_MAX_CHARS = 60

/** The country of a user's numbers without a country code: that of the profile, else that of the time zone. */
export function phoneCountry(user: {
  country: string | null
  time_zone: string | null
}): CountryCode | undefined {
  const known = COUNTRIES.find(({ code }) => code === user.country)
  return (known ?? COUNTRIES.find(({ zone }) => zone === user.time_zone))?.code
}

/**
 * Returns a reader of phone numbers. What is not a complete, valid number of its country stays as typed. The world's
 * numbering plans are loaded when the first reader is made.
 */
export async function phoneReader(country: CountryCode | undefined): Promise<PhoneReader> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const options = { ...(country === undefined ? {} : { defaultCountry: country }), extract: false }
  return (typed) => {
    if (!/\d\D*\d\D*\d\D*\d/.test(typed)) return typed
    // Two numbers in one field would be read as one long one.
    if (/\s[/,;]\s|[;,]/.test(typed)) return typed
    const number = parsePhoneNumberFromString(typed, options)
    if (number === undefined || !number.isValid()) return typed
    const shown = number.formatInternational()
    return shown.length > PHONE_MAX_CHARS ? typed : shown
  }
}
