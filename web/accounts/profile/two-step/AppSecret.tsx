import { CopyButton } from '#web/platform/ui/CopyButton.tsx'
import { QrCode } from '#web/platform/ui/QrCode.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { useQrCode } from '#web/platform/ui/use-qr-code.ts'

/** The secret for the app: as a QR code, as a link for an app on this device, and as text. */
export function AppSecret({ secret, uri }: { secret: string; uri: string }) {
  const code = useQrCode(uri)
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
      {code === 'failed' ? null : code === null ? (
        <Skeleton className="size-44" />
      ) : (
        <QrCode modules={code} label="QR code for your authenticator app" />
      )}
      <div className="min-w-0 flex-1 basis-56">
        <p className="text-ink-2">
          {code === 'failed'
            ? 'Type this key into your app:'
            : 'Scan the code with your app, or type this key:'}
        </p>
        <p className="my-2 max-w-[20ch] font-mono leading-relaxed wrap-break-word select-all">
          {inGroups(secret)}
        </p>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={secret} what="key" />
          <a
            href={uri}
            className="hidden items-center self-center text-accent hover:underline pointer-coarse:inline-flex pointer-coarse:min-h-11"
          >
            Open in an app on this device
          </a>
        </div>
      </div>
    </div>
  )
}

/** Groups of four are easier to type; apps ignore the blanks. */
const inGroups = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
