import { Copy, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { saveFile } from '#web/platform/api/download.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { dateFormat } from '#web/platform/dates/date-formats.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import type { DialogView } from './dialog-view.ts'

/** The step of a dialog that shows new recovery codes, this once. */
export function recoveryCodesView(props: {
  title: string
  codes: readonly string[]
  onClose: () => void
  children?: ReactNode
}): DialogView {
  return {
    title: props.title,
    description:
      'Keep these recovery codes where you find them without your phone. Each works once in place of a code. They are not shown again.',
    children: (
      <>
        <RecoveryCodes codes={props.codes} />
        {props.children}
      </>
    ),
    footer: (
      <Button variant="primary" onClick={props.onClose}>
        I have kept them
      </Button>
    ),
  }
}

/** The step before has gone, and its focus with it: the codes come first. */
const focusOnce = (list: HTMLElement | null) => list?.focus()

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { user } = useSession()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      toast.success('Recovery codes copied')
    } catch {
      toast.error('Failed to copy the codes. Please select and copy them.')
    }
  }
  const download = () =>
    saveFile(
      new Blob([textOf(codes, user?.email ?? '')], { type: 'text/plain;charset=utf-8' }),
      'howl-recovery-codes.txt',
    )
  return (
    <>
      <ul
        ref={focusOnce}
        tabIndex={-1}
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-md bg-sunken px-4 py-3 font-mono text-md outline-none select-text"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button icon={<Copy aria-hidden className="size-4" />} onClick={() => void copy()}>
          Copy
        </Button>
        <Button icon={<Download aria-hidden className="size-4" />} onClick={download}>
          Download
        </Button>
      </div>
    </>
  )
}

function textOf(codes: readonly string[], email: string): string {
  const day = dateFormat('en-GB', { dateStyle: 'long' }).format(new Date())
  return [
    `Recovery codes of the Howl account ${email}`,
    `Made on ${day} at ${location.host}. Each works once in place of a code. Earlier codes do not work any more.`,
    '',
    ...codes,
    '',
  ].join('\n')
}
