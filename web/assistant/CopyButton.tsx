import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { toast } from '#web/platform/ui/toast.ts'

const SAID_MS = 2000

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Without https, or where the browser forbids it.
      toast.error('This browser does not let Howl copy. Please select the text and copy it yourself.')
    }
  }
  return (
    <IconButton
      size="s"
      label={isCopied ? 'Copied' : label}
      icon={isCopied ? <Check /> : <Copy />}
      onClick={() => void copy()}
    />
  )
}
