import * as z from 'zod/mini'

/** Supported countries, each with its currency and its time zone (ISO 3166-1, ISO 4217, IANA). */
export const COUNTRIES = [
  { code: 'US', name: 'United States', currency: 'USD', zone: 'America/New_York' },
  { code: 'GB', name: 'United Kingdom', currency: 'GBP', zone: 'Europe/London' },
  { code: 'DE', name: 'Germany', currency: 'EUR', zone: 'Europe/Berlin' },
  { code: 'FR', name: 'France', currency: 'EUR', zone: 'Europe/Paris' },
  { code: 'IN', name: 'India', currency: 'INR', zone: 'Asia/Kolkata' },
  { code: 'AE', name: 'United Arab Emirates', currency: 'AED', zone: 'Asia/Dubai' },
  { code: 'AU', name: 'Australia', currency: 'AUD', zone: 'Australia/Sydney' },
  { code: 'JP', name: 'Japan', currency: 'JPY', zone: 'Asia/Tokyo' },
  { code: 'CN', name: 'China', currency: 'CNY', zone: 'Asia/Shanghai' },
  { code: 'SG', name: 'Singapore', currency: 'SGD', zone: 'Asia/Singapore' },
  { code: 'ZA', name: 'South Africa', currency: 'ZAR', zone: 'Africa/Johannesburg' },
  { code: 'BR', name: 'Brazil', currency: 'BRL', zone: 'America/Sao_Paulo' },
  { code: 'CA', name: 'Canada', currency: 'CAD', zone: 'America/Toronto' },
] as const

export type CountryCode = (typeof COUNTRIES)[number]['code']

export const countryCode = z.enum(COUNTRIES.map((country) => country.code) as [CountryCode, ...CountryCode[]])
