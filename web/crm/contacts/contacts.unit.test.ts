import { describe, expect, it } from 'vitest'
import { changedFields } from '#web/platform/api/changed-fields.ts'
import { readAddress } from './contact-filters.ts'
import { lastContactText, notesPreview } from './contact-text.ts'
import { importStep, uploadStep } from '#web/crm/contact-imports/import-progress.ts'
import { outcomeOf } from '#web/crm/contact-imports/import-text.ts'

describe('the preview of notes', () => {
  it('is the first six words', () => {
    expect(notesPreview('one two\nthree  four five six')).toEqual({
      text: 'one two three four five six',
      isCut: false,
    })
    expect(notesPreview('one two three four five six seven')).toEqual({
      text: 'one two three four five six…',
      isCut: true,
    })
    expect(notesPreview(' ')).toEqual({ text: '', isCut: false })
  })
})

describe('the address of the page', () => {
  it('sets the filters it names', () => {
    const asked = readAddress(
      new URLSearchParams('search=%20bert&status=replied&sort=-name&page=3&page_size=100'),
    )
    expect(asked).toEqual({
      filters: { search: 'bert', status: 'replied' },
      sort: '-name',
      page: 3,
      pageSize: 100,
    })
  })
  it('may hold anything: invalid values are ignored', () => {
    const usual = { filters: {}, sort: 'newest', page: 1, pageSize: 50 }
    expect(readAddress(new URLSearchParams('status=rich&sort=age&page=-2&page_size=9'))).toEqual(usual)
    expect(readAddress(new URLSearchParams(`search=${'x'.repeat(201)}&status=all&page=x`))).toEqual(usual)
  })
})

describe('an edited contact', () => {
  it('is sent with its changed fields only', () => {
    const before = { id: 7, name: 'Bob', company: '', notes: 'Old' }
    expect(changedFields({ name: 'Bob', company: 'Build', notes: '' }, before)).toEqual({
      company: 'Build',
      notes: '',
    })
    expect(changedFields({ name: 'Bob' }, before)).toEqual({})
  })
})

describe('the last contact', () => {
  it('is a date in the zone, "Never" or "Invalid date"', () => {
    expect(lastContactText('2026-03-01T23:30:00.000Z', 'Europe/Berlin')).toBe('Mar 2, 2026')
    expect(lastContactText(null, 'Europe/Berlin')).toBe('Never')
    expect(lastContactText('soon', 'Europe/Berlin')).toBe('Invalid date')
  })
})

describe('the progress of an import', () => {
  const told = (bytes: number) => ({ topic: 'import' as const, rows: bytes / 10, bytes, total_bytes: 1000 })

  it('starts with the upload', () => {
    expect(uploadStep(500, 1000)).toEqual({ text: 'Uploading, 50%', value: 50 })
    expect(uploadStep(1000, 1000)).toEqual({ text: 'Looking at the file…', value: undefined })
  })

  it('continues while the file is read, and has no end while rows are saved', () => {
    expect(importStep(null)).toEqual({ text: 'Reading the file…', value: undefined })
    const steps = [importStep(told(10)), importStep(told(500)), importStep(told(990))]
    const values = steps.map((step) => step.value ?? Number.NaN)
    expect(values).toEqual([...values].sort((one, other) => one - other))
    expect(steps[1]?.text).toBe('Reading, 50 rows so far')
    expect(importStep(told(1000))).toEqual({ text: 'Saving 100 rows…', value: undefined })
  })
})

describe('what an import will do', () => {
  const check = { rows: 10, create: 5, update: 3, skip: 2, existing: 3, refused_total: 2, refused: [] }
  it('depends on the choice for contacts that already exist', () => {
    expect(outcomeOf(check, 'update')).toEqual({ create: 5, update: 3, skip: 2, total: 8 })
    expect(outcomeOf(check, 'skip')).toEqual({ create: 5, update: 0, skip: 5, total: 5 })
  })
})
