import arabic400 from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff?url'
import arabic600 from '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-600-normal.woff?url'
import latin400 from '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff?url'
import latin600 from '@fontsource/noto-sans/files/noto-sans-latin-600-normal.woff?url'
import latinExt400 from '@fontsource/noto-sans/files/noto-sans-latin-ext-400-normal.woff?url'
import latinExt600 from '@fontsource/noto-sans/files/noto-sans-latin-ext-600-normal.woff?url'
import vietnamese400 from '@fontsource/noto-sans/files/noto-sans-vietnamese-400-normal.woff?url'
import vietnamese600 from '@fontsource/noto-sans/files/noto-sans-vietnamese-600-normal.woff?url'
import greek400 from '@fontsource/noto-sans/files/noto-sans-greek-400-normal.woff?url'
import greek600 from '@fontsource/noto-sans/files/noto-sans-greek-600-normal.woff?url'
import greekExt400 from '@fontsource/noto-sans/files/noto-sans-greek-ext-400-normal.woff?url'
import greekExt600 from '@fontsource/noto-sans/files/noto-sans-greek-ext-600-normal.woff?url'
import cyrillic400 from '@fontsource/noto-sans/files/noto-sans-cyrillic-400-normal.woff?url'
import cyrillic600 from '@fontsource/noto-sans/files/noto-sans-cyrillic-600-normal.woff?url'
import cyrillicExt400 from '@fontsource/noto-sans/files/noto-sans-cyrillic-ext-400-normal.woff?url'
import cyrillicExt600 from '@fontsource/noto-sans/files/noto-sans-cyrillic-ext-600-normal.woff?url'
import devanagari400 from '@fontsource/noto-sans/files/noto-sans-devanagari-400-normal.woff?url'
import devanagari600 from '@fontsource/noto-sans/files/noto-sans-devanagari-600-normal.woff?url'
import type { Face } from '#contract/invoicing/invoice-document/faces.ts'

const FILES: Record<Face, string> = {
  'latin-400': latin400,
  'latin-600': latin600,
  'latin-ext-400': latinExt400,
  'latin-ext-600': latinExt600,
  'vietnamese-400': vietnamese400,
  'vietnamese-600': vietnamese600,
  'greek-400': greek400,
  'greek-600': greek600,
  'greek-ext-400': greekExt400,
  'greek-ext-600': greekExt600,
  'cyrillic-400': cyrillic400,
  'cyrillic-600': cyrillic600,
  'cyrillic-ext-400': cyrillicExt400,
  'cyrillic-ext-600': cyrillicExt600,
  'devanagari-400': devanagari400,
  'devanagari-600': devanagari600,
  'arabic-400': arabic400,
  'arabic-600': arabic600,
}

const loading = new Map<Face, Promise<ArrayBuffer>>()

/** The font files of these faces, each fetched once. */
export async function loadFonts(faces: readonly Face[]): Promise<Map<Face, ArrayBuffer>> {
  const files = await Promise.all(faces.map(async (face) => [face, await loadFont(face)] as const))
  return new Map(files)
}

function loadFont(face: Face): Promise<ArrayBuffer> {
  const known = loading.get(face)
  if (known !== undefined) return known
  const file = fetchFont(FILES[face])
  loading.set(face, file)
  // A lost connection must not be remembered.
  file.catch(() => loading.delete(face))
  return file
}

async function fetchFont(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`A font could not be loaded: ${response.status}`)
  return response.arrayBuffer()
}

/** The family under which the page knows a face. */
export const familyOf = (face: Face) => `invoice-${face}`

/** Makes the faces known to the page, for the preview. */
export async function showFonts(fonts: ReadonlyMap<Face, ArrayBuffer>): Promise<void> {
  await Promise.all(
    [...fonts].map(async ([face, bytes]) => {
      if ([...document.fonts].some(({ family }) => family === familyOf(face))) return
      document.fonts.add(await new FontFace(familyOf(face), bytes).load())
    }),
  )
}
