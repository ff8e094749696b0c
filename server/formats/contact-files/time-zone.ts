import { COUNTRIES } from '#contract/platform/countries.ts'

/** Tells in which time zone (IANA) somebody probably is; undefined where nothing tells. */
export type ZoneReader = (contact: { phone: string; email: string }) => string | undefined

/** Of countries with several zones that in which most people live; Howl's own countries have theirs in `COUNTRIES`. */
const MOST_LIVE_IN: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CY: 'Asia/Nicosia',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  GL: 'America/Nuuk',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  KZ: 'Asia/Almaty',
  MH: 'Pacific/Majuro',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PS: 'Asia/Hebron',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  UZ: 'Asia/Tashkent',
}

/** Domains of countries that people all over the world use for their meaning. */
const USED_EVERYWHERE = new Set(
  'ac ag ai am bz cc cd co cx dj fm gg gl im io is la li ly me ms mu nu pw sc sh so st tk to tv vc vg ws'.split(
    ' ',
  ),
)

/** Mail domains whose last part is not the code of their country (ISO 3166-1). */
const COUNTRY_OF_DOMAIN: Readonly<Record<string, string>> = { uk: 'GB' }

/**
 * Returns a reader of time zones: by the country of the phone number in international form, else by that of the mail address. The
 * world's numbering plans are loaded when the first reader is made.
 */
export async function zoneReader(): Promise<ZoneReader> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  return ({ phone, email }) => {
    const country = phone.startsWith('+') ? parsePhoneNumberFromString(phone)?.country : undefined
    return (country === undefined ? undefined : zoneOf(country)) ?? zoneOf(countryOfAddress(email))
  }
}

function countryOfAddress(email: string): string | undefined {
  const domain = /\.([a-z]{2})$/i.exec(email.trim())?.[1]?.toLowerCase()
  if (domain === undefined || USED_EVERYWHERE.has(domain)) return undefined
  return COUNTRY_OF_DOMAIN[domain] ?? domain.toUpperCase()
}

const known = new Map<string, string | undefined>()

/** The time zone of a country; undefined for a code that no country has. */
function zoneOf(country: string | undefined): string | undefined {
  if (country === undefined) return undefined
  if (!known.has(country)) known.set(country, findZone(country))
  return known.get(country)
}

function findZone(country: string): string | undefined {
  const own = COUNTRIES.find(({ code }) => code === country)?.zone ?? MOST_LIVE_IN[country]
  return own ?? new Intl.Locale(`und-${country}`).getTimeZones?.()?.[0]
}
