import { COUNTRIES, type CountryCode } from '#contract/values.ts'

/** Brings a phone number into one form: "030 901820", written in Germany, is "+49 30 901820". */
export type PhoneReader = (typed: string) => string

/** As the form takes it. */
const PHONE_MAX_CHARS = 60

/** Where a user's numbers without a country code belong: the country of the profile, else the one of the time zone. */
export function phoneCountry(user: {
  country: string | null
  time_zone: string | null
}): CountryCode | undefined {
  const known = COUNTRIES.find(({ code }) => code === user.country)
  return (known ?? COUNTRIES.find(({ zone }) => zone === user.time_zone))?.code
}

/**
 * A reader of phone numbers. What is no whole valid number of its country stays as it was typed. The numbering plans
 * of the world are loaded when the first reader is made.
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
