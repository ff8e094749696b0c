import type { useEditor } from '@tiptap/react'

export type TipTap = NonNullable<ReturnType<typeof useEditor>>
