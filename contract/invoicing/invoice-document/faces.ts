// Which font has which character. Each font file has one script; a document loads only those that its text needs.

export type Weight = 400 | 600
export const SCRIPTS = [
  'latin',
  'latin-ext',
  'vietnamese',
  'greek',
  'greek-ext',
  'cyrillic',
  'cyrillic-ext',
  'devanagari',
  'arabic',
] as const
export type Script = (typeof SCRIPTS)[number]
/** One font file: "latin-400". */
export type Face = `${Script}-${Weight}`

// What the files of Noto Sans and, for Arabic, IBM Plex Sans have, read from them (hexadecimal, without control
// characters, and without the Arabic no-break space: PDFKit's reader of fonts fails on it).
const RANGES: readonly (readonly [Script, string])[] = [
  [
    'latin',
    '20-7e a0-ff 131 152-153 2bb-2bc 2c6 2da 2dc 300-301 303-304 308-309 323 329 2002 2009 200b 2013-2014 2018-201a 201c-201e 2022 2026 2032-2033 2039-203a 2044 20ac 2122 2212 feff fffd ffff',
  ],
  [
    'latin-ext',
    '20 a0 100-130 132-151 154-2ba 2bc-2c5 2c7-2cc 2ce-2d7 2dd-301 303-304 308-309 323 329 1d00-1dbf 1e00-1e9f 1ef2-1eff 2020 20a0-20ab 20ad-20c0 2113 2c60-2c7f a720-a7ca a7d0-a7d1 a7d3 a7d5-a7d9 a7f2-a7ff ffff',
  ],
  [
    'vietnamese',
    '20 a0 102-103 110-111 128-129 168-169 1a0-1a1 1af-1b0 300-301 303-304 308-309 323 329 1ea0-1ef9 20ab ffff',
  ],
  ['greek', '20 a0 370-377 37a-37f 384-38a 38c 38e-3a1 3a3-3e1 3f0-3ff ffff'],
  [
    'greek-ext',
    '20 a0 1f00-1f15 1f18-1f1d 1f20-1f45 1f48-1f4d 1f50-1f57 1f59 1f5b 1f5d 1f5f-1f7d 1f80-1fb4 1fb6-1fc4 1fc6-1fd3 1fd6-1fdb 1fdd-1fef 1ff2-1ff4 1ff6-1ffe ffff',
  ],
  ['cyrillic', '20 a0 301 400-45f 490-491 4b0-4b1 2116 ffff'],
  ['cyrillic-ext', '20 a0 460-48f 492-4af 4b2-52f 1c80-1c88 20b4 2de0-2dff a640-a69f fe2e-fe2f ffff'],
  ['devanagari', '20 a0 2bc 900-97f 200b-200d 2044 20a8 20b9 20f0 25cc a8ff ffff'],
  [
    'arabic',
    '20 600-604 606-61b 61e-6a1 6a3-6ff 750-77f 8a0 8a2-8ac 8b3 8e4-8fe 2010 fb51 fb53-fb55 fb57-fb59 fb5b-fb5d fb5f-fb61 fb63-fb65 fb67-fb69 fb6b-fb6d fb6f-fb71 fb73-fb75 fb77-fb79 fb7b-fb7d fb7f-fb81 fb83 fb85 fb87 fb89 fb8b fb8d fb8f-fb91 fb93-fb95 fb97-fb99 fb9b-fb9d fb9f fba1 fba5 fba7-fba9 fbab-fbad fbaf fbb1-fbc1 fbd4-fbd6 fbd8 fbda fbdc fbdf fbe1 fbe3 fbe5-fbe9 fbfd-fbff fc03-fc04 fc09-fc0a fc0f-fc10 fc13-fc14 fc31-fc32 fc35-fc36 fc3d-fc3e fc42-fc44 fc4f-fc50 fc59-fc5d fc64-fc65 fc67-fc6b fc6d-fc71 fc73-fc77 fc79-fc7b fc83-fc84 fc8a-fc8b fc8d-fc92 fc94-fc96 fccc fcd9 fcf2-fcf4 fcfb-fcfe fd05-fd08 fd0d-fd10 fd17-fd1a fd21-fd24 fd29-fd2c fd3c-fd3f fdf1-fdf2 fdf4 fdfa-fdfd fe70-fe74 fe76-fefc ffff',
  ],
]

const COVERED = RANGES.map(([script, ranges]): readonly [Script, readonly (readonly [number, number])[]] => [
  script,
  ranges.split(' ').map((range) => {
    const [from = '', to = from] = range.split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
  }),
])
const known = new Map<number, Script | null>()

/** The script whose font has this character; null if none has. The first of several is taken. */
function scriptOf(codePoint: number): Script | null {
  const remembered = known.get(codePoint)
  if (remembered !== undefined) return remembered
  const found = COVERED.find(([, ranges]) =>
    ranges.some(([from, to]) => codePoint >= from && codePoint <= to),
  )
  const script = found?.[0] ?? null
  known.set(codePoint, script)
  return script
}

/** Stands for a character that no font has. */
const STANDS_IN = '?'
// These go with whatever is around them, as long as its font has them: a change of font costs a word its spacing.
const NEUTRAL = /^[\s\p{M}\u200c\u200d]$/u

/** Neighbouring characters that one font has. */
export type FaceRun = { text: string; script: Script }

/** Divides a text by fonts. A character that no font has becomes a question mark. */
export function faceRuns(text: string): FaceRun[] {
  const runs: FaceRun[] = []
  for (const character of text) {
    const last = runs.at(-1)
    const goesAlong = last !== undefined && NEUTRAL.test(character) && has(last.script, character)
    const own = goesAlong ? last.script : scriptOf(character.codePointAt(0) ?? 0)
    const script = own ?? 'latin'
    const drawn = own === null ? STANDS_IN : character
    if (last?.script === script) last.text += drawn
    else runs.push({ text: drawn, script })
  }
  return runs
}

function has(script: Script, character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0
  const ranges = COVERED.find(([one]) => one === script)?.[1] ?? []
  return ranges.some(([from, to]) => codePoint >= from && codePoint <= to)
}

/** The characters of a text that no font has, each once. */
export function unprintable(text: string): string[] {
  return [...new Set(text)].filter(
    (character) => !/[\s\p{Cf}]/u.test(character) && scriptOf(character.codePointAt(0) ?? 0) === null,
  )
}

/** The font files that these texts need, in both weights; Latin is always among them. */
export function facesFor(texts: readonly string[]): Face[] {
  const scripts = new Set<Script>(['latin'])
  for (const text of texts) for (const { script } of faceRuns(text)) scripts.add(script)
  return [...scripts].flatMap((script): Face[] => [`${script}-400`, `${script}-600`])
}
