import { Download } from 'lucide-react'
import { useState } from 'react'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { download } from '#web/platform/api/download.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** Saves all refused rows of an import as a file. */
export function SaveRefused({
  id,
  fileName,
  size = 'm',
}: {
  id: number
  fileName: string
  size?: 's' | 'm'
}) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await download(
        contactImports.refused,
        { params: { id } },
        `${fileName.replace(/\.\w+$/, '')}-refused.csv`,
      )
    } catch (error) {
      toast.error(sentenceOf(error, 'Failed to download the refused rows'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      size={size}
      icon={<Download aria-hidden className="size-4" />}
      busy={isBusy}
      onClick={() => void save()}
    >
      {size === 's' ? 'Refused rows' : 'Download the refused rows'}
    </Button>
  )
}
