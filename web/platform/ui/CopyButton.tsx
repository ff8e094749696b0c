import { Copy } from 'lucide-react'
import { Button } from './Button.tsx'
import { toast } from './toast.ts'

type CopyButtonProps = {
  text: string
  /** What is copied, after "Copy": "link", "IBAN", "key". */
  what: string
  /** Shows "Copy" alone, where what is copied stands beside it. */
  short?: boolean
}

/** Copies a text, and says that it has. */
export function CopyButton({ text, what, short = false }: CopyButtonProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(`${what.charAt(0).toUpperCase()}${what.slice(1)} copied`)
    } catch {
      toast.error(`Failed to copy the ${what}. Please select and copy it.`)
    }
  }
  return (
    <Button
      size="s"
      icon={<Copy aria-hidden className="size-3.5" />}
      aria-label={short ? `Copy ${what}` : undefined}
      onClick={() => void copy()}
    >
      {short ? 'Copy' : `Copy ${what}`}
    </Button>
  )
}
