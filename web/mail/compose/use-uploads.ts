import { useEffect, useRef, useState } from 'react'
import { ATTACHMENT_BYTES_MAX, ATTACHMENTS_MAX } from '#contract/mail/email-writing.ts'
import { type EmailDetail, emails } from '#contract/mail/emails.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { upload } from '#web/platform/api/upload.ts'
import { toast } from '#web/platform/ui/toast.ts'

/** A file of a draft: uploading, uploaded (with its `id`), or refused. */
export type Upload = {
  key: number
  name: string
  size: number
  state: { kind: 'sending'; part: number } | { kind: 'there'; id: number } | { kind: 'failed'; why: string }
}

export type Uploads = {
  list: readonly Upload[]
  add: (files: readonly File[]) => void
  remove: (key: number) => void
  isBusy: boolean
  /** The ids of the uploaded files. */
  ids: number[]
}

let lastKey = 0

/**
 * The files of one draft; `kept` are those it already has. Removing a file or closing the draft aborts the upload at
 * once.
 */
export function useUploads(kept: EmailDetail['attachments']): Uploads {
  const [list, setList] = useState<readonly Upload[]>(() =>
    kept.map(({ id, name, size }) => ({ key: ++lastKey, name, size, state: { kind: 'there', id } })),
  )
  const running = useRef(new Map<number, AbortController>())
  useEffect(() => {
    const all = running.current
    return () => all.forEach((stop) => stop.abort())
  }, [])
  const become = (key: number, state: Upload['state']) =>
    setList((now) => now.map((each) => (each.key === key ? { ...each, state } : each)))

  const send = async (key: number, file: File) => {
    const stop = new AbortController()
    running.current.set(key, stop)
    try {
      const kept = await upload(emails.upload, file, {
        signal: stop.signal,
        onProgress: (sent, total) => become(key, { kind: 'sending', part: total === 0 ? 0 : sent / total }),
      })
      become(key, { kind: 'there', id: kept.id })
    } catch (error) {
      if (!stop.signal.aborted)
        become(key, { kind: 'failed', why: sentenceOf(error, 'This file could not be uploaded') })
    } finally {
      running.current.delete(key)
    }
  }

  return {
    list,
    add: (files) => {
      const room = ATTACHMENTS_MAX - list.length
      if (files.length > room) toast.error(`You can attach up to ${ATTACHMENTS_MAX} files`)
      const added = files.slice(0, Math.max(0, room)).map((file) => ({ key: ++lastKey, file }))
      setList((now) => [...now, ...added.map(({ key, file }) => begun(key, file))])
      for (const { key, file } of added) if (file.size <= ATTACHMENT_BYTES_MAX) void send(key, file)
    },
    remove: (key) => {
      running.current.get(key)?.abort()
      setList((now) => now.filter((each) => each.key !== key))
    },
    isBusy: list.some(({ state }) => state.kind === 'sending'),
    ids: list.flatMap(({ state }) => (state.kind === 'there' ? [state.id] : [])),
  }
}

function begun(key: number, { name, size }: File): Upload {
  const tooLarge = `Larger than ${ATTACHMENT_BYTES_MAX / 1024 / 1024} MB`
  return {
    key,
    name,
    size,
    state: size > ATTACHMENT_BYTES_MAX ? { kind: 'failed', why: tooLarge } : { kind: 'sending', part: 0 },
  }
}
