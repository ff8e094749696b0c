import { EditorContent, useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { useEffect, useState } from 'react'
import { type DraftNode, draftText } from './draft-text.ts'
import { Toolbar } from './Toolbar.tsx'
import './editor.css'

export type Written = { html: string; text: string }

type EditorProps = {
  label: string
  /** The initial content: HTML, or text if there is no HTML. */
  begin: Written
  onChange: (written: Written) => void
  invalid?: boolean
  describedBy?: string | undefined
  /** True if the cursor starts here. */
  startsHere?: boolean
}

/**
 * The editor of a mail: paragraphs, bold, italic, underline, links, lists and quotes, and nothing that a mail cannot
 * carry.
 */
export function Editor({
  label,
  begin,
  onChange,
  invalid = false,
  describedBy,
  startsHere = false,
}: EditorProps) {
  // Only the initial content comes from the props; after that the editor keeps its own.
  const [content] = useState(() => (begin.html === '' ? paragraphs(begin.text) : begin.html))
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        heading: false,
        codeBlock: false,
        horizontalRule: false,
        link: { openOnClick: false, autolink: true, defaultProtocol: 'https' },
      }),
    ],
    // Our content security policy allows no inline style sheet; the editor's styles are in editor.css.
    injectCSS: false,
    content,
    editorProps: {
      // Ctrl Enter sends the draft and must not break the line.
      handleKeyDown: (_, event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey),
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        ...(invalid ? { 'aria-invalid': 'true' } : {}),
        ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
        class: 'mail-editor min-h-44 px-3 py-2.5 text-md outline-none',
      },
    },
    onUpdate: ({ editor: at }) =>
      onChange({ html: at.getHTML(), text: draftText(at.getJSON() as DraftNode) }),
  })
  useEffect(() => {
    if (!startsHere) return undefined
    // Once the text is on the page, and after the dialog, which takes the focus as it opens.
    const timer = setTimeout(() => editor.commands.focus('start'))
    return () => clearTimeout(timer)
  }, [editor, startsHere])
  return (
    <div
      data-invalid={invalid || undefined}
      className="overflow-hidden rounded-md border border-control/70 bg-surface focus-within:border-accent has-[.mail-editor:focus-visible]:outline-2 has-[.mail-editor:focus-visible]:outline-accent data-invalid:border-danger"
    >
      <EditorContent editor={editor} />
      {editor === null ? null : <Toolbar editor={editor} />}
    </div>
  )
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function paragraphs(text: string): string {
  if (text === '') return ''
  const plain = text.replaceAll(/[&<>]/g, (char) => ESCAPES[char] ?? '')
  return plain
    .split('\n')
    .map((line) => `<p>${line}</p>`)
    .join('')
}
