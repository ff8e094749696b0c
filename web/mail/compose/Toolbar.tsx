import { useEditorState } from '@tiptap/react'
import { Bold, Italic, Link2, List, ListOrdered, TextQuote, Underline } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { LinkField } from './LinkField.tsx'
import type { TipTap } from './editor-types.ts'

type Tool = { label: string; keys?: string; icon: ReactNode; pressed: boolean; run: () => void }

/** The formatting buttons. One Tab stop; arrow keys move between the buttons (ARIA Authoring Practices, toolbar). */
export function Toolbar({ editor }: { editor: TipTap }) {
  const is = useEditorState({
    editor,
    selector: ({ editor: at }) => ({
      bold: at.isActive('bold'),
      italic: at.isActive('italic'),
      underline: at.isActive('underline'),
      bulletList: at.isActive('bulletList'),
      orderedList: at.isActive('orderedList'),
      blockquote: at.isActive('blockquote'),
      link: at.isActive('link'),
    }),
  })
  const [at, setAt] = useState(0)
  const [linking, setLinking] = useState(false)
  const chain = () => chainInText(editor)
  const link = () => (is.link ? void chain().extendMarkRange('link').unsetLink().run() : setLinking(!linking))
  const tools: Tool[] = [
    tool('Bold', 'Ctrl B', <Bold aria-hidden />, is.bold, () => chain().toggleBold().run()),
    tool('Italic', 'Ctrl I', <Italic aria-hidden />, is.italic, () => chain().toggleItalic().run()),
    tool('Underline', 'Ctrl U', <Underline aria-hidden />, is.underline, () =>
      chain().toggleUnderline().run(),
    ),
    tool('Bulleted list', '', <List aria-hidden />, is.bulletList, () => chain().toggleBulletList().run()),
    tool('Numbered list', '', <ListOrdered aria-hidden />, is.orderedList, () =>
      chain().toggleOrderedList().run(),
    ),
    tool('Quote', '', <TextQuote aria-hidden />, is.blockquote, () => chain().toggleBlockquote().run()),
    tool('Link', '', <Link2 aria-hidden />, is.link || linking, link),
  ]
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    const next = (at + step + tools.length) % tools.length
    setAt(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div className="border-t border-line">
      {linking ? (
        <LinkField
          onDone={(address) => {
            setLinking(false)
            if (address === null) chain().run()
            else setLink(editor, address)
          }}
        />
      ) : null}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- one of its buttons has the focus */}
      <div role="toolbar" aria-label="Formatting" onKeyDown={onKeyDown} className="flex gap-0.5 px-1.5 py-1">
        {tools.map(({ label, keys, icon, pressed, run }, index) => (
          <IconButton
            key={label}
            size="s"
            label={label}
            {...(keys === '' ? {} : { 'data-tip': `${label} (${keys})` })}
            icon={icon}
            pressed={pressed}
            tabIndex={index === at ? 0 : -1}
            onFocus={() => setAt(index)}
            onClick={run}
          />
        ))}
      </div>
    </div>
  )
}

const tool = (label: string, keys: string, icon: ReactNode, pressed: boolean, run: () => void): Tool => ({
  label,
  keys,
  icon,
  pressed,
  run,
})

/**
 * Starts a command chain with the focus back in the text at once: TipTap's own `focus` comes a frame later, and keys
 * typed until then are lost.
 */
function chainInText(editor: TipTap) {
  editor.view.focus()
  return editor.chain()
}

/** Links the selected text; without a selection, inserts the address as a link. */
function setLink(editor: TipTap, address: string): void {
  const chain = chainInText(editor)
  if (!editor.state.selection.empty) return void chain.setLink({ href: address }).run()
  const linked = {
    type: 'text',
    text: address.replace(/^mailto:/i, ''),
    marks: [{ type: 'link', attrs: { href: address } }],
  }
  chain.insertContent([linked, { type: 'text', text: ' ' }]).run()
}
