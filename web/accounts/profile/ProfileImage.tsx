import { ImageUp } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { auth } from '#contract/accounts/auth.ts'
import { profile, PROFILE_IMAGE_BYTES_MAX } from '#contract/accounts/profile.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { upload } from '#web/platform/api/upload.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { Avatar } from '#web/platform/ui/Avatar.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { DropFiles } from '#web/platform/ui/DropFiles.tsx'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'
import { toast } from '#web/platform/ui/toast.ts'

const MEGABYTES_MAX = PROFILE_IMAGE_BYTES_MAX / 1024 / 1024
const FAILED = 'Failed to update profile'

/** The user's picture: chosen or dropped, and removed. It is saved at once. */
export function ProfileImage({ name, src }: { name: string; src: string | null }) {
  const input = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const noteId = useId()
  // Cancel and Remove go away once they have worked; the focus goes on to the button that stays.
  const keepFocus = () => choose.current?.focus()
  const { part, fault, send, stop, remove, isRemoving } = useProfileImage(src, keepFocus)
  const take = (files: ArrayLike<File> | null) => {
    const file = files?.[0]
    if (file !== undefined) void send(file)
  }
  return (
    <DropFiles onFiles={take} className="items-center gap-4">
      <Avatar name={name} src={src} size="l" />
      <fieldset aria-label="Profile image" className="flex min-w-0 flex-1 flex-col gap-1.5">
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
          aria-label="Image file"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            take(event.target.files)
            event.target.value = ''
          }}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            ref={choose}
            busy={part !== null}
            icon={<ImageUp aria-hidden className="size-4" />}
            aria-describedby={noteId}
            onClick={() => input.current?.click()}
          >
            {src === null ? 'Choose image' : 'Change image'}
          </Button>
          {part !== null ? (
            <>
              <ProgressBar label="Uploading the image" value={Math.round(part * 100)} className="max-w-40" />
              <Button variant="plain" onClick={stop}>
                Cancel
              </Button>
            </>
          ) : src !== null ? (
            <Button variant="plain" busy={isRemoving} onClick={remove}>
              Remove image
            </Button>
          ) : null}
        </div>
        {fault === null ? (
          <p id={noteId} className="text-sm text-ink-2">
            JPEG, PNG, WebP, GIF or AVIF, up to {MEGABYTES_MAX} MB.
          </p>
        ) : (
          <p id={noteId} role="alert" className="text-sm text-danger">
            {fault}
          </p>
        )}
      </fieldset>
    </DropFiles>
  )
}

/** `part` is how much of the file has been sent, from 0 to 1; null while no file is being sent. */
function useProfileImage(src: string | null, keepFocus: () => void) {
  const client = useQueryClient()
  const { refreshUser } = useSession()
  const [part, setPart] = useState<number | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const changed = () => {
    void refresh(client, auth.me)
    void refreshUser()
  }
  const save = useCommand(profile.update, {
    onSuccess: changed,
    onError: (error) => setFault(sentenceOf(error, FAILED)),
  })

  const send = async (file: File) => {
    if (running.current !== undefined) return
    if (file.size > PROFILE_IMAGE_BYTES_MAX)
      return setFault(`Please choose an image under ${MEGABYTES_MAX} MB`)
    const own = new AbortController()
    running.current = own
    setFault(null)
    setPart(0)
    try {
      await upload(profile.uploadImage, file, {
        signal: own.signal,
        onProgress: (sent, total) => setPart(total === 0 ? 0 : sent / total),
      })
      changed()
      toast.success('Profile updated')
    } catch (error) {
      if (!own.signal.aborted) setFault(sentenceOf(error, FAILED))
    } finally {
      running.current = undefined
      setPart(null)
    }
  }

  const remove = () => {
    setFault(null)
    save.mutate(
      { body: { profile_image_url: null } },
      {
        onSuccess: () => {
          keepFocus()
          toast.success('Profile image removed', {
            undo: () => save.mutate({ body: { profile_image_url: src } }),
          })
        },
      },
    )
  }

  const stop = () => {
    running.current?.abort()
    keepFocus()
  }
  return { part, fault, send, stop, remove, isRemoving: save.isPending }
}
