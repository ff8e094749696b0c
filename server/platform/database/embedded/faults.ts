import { statfs } from 'node:fs/promises'

/** Free space below which a failed start is blamed on a full disk: one WAL segment and some room (bytes). */
const FULL_DISK = 24 * 1024 * 1024

type ErrorWithCode = Error & { code?: string }

/**
 * Turns an error from the file system or from PostgreSQL into one that a person can act on: full disk, read-only or
 * foreign folder. Every other error comes back as it is.
 */
export async function explain(error: unknown, dataDir: string): Promise<Error> {
  const fault = (error instanceof Error ? error : new Error(String(error))) as ErrorWithCode
  const words = `${fault.code ?? ''} ${fault.message}`
  const sentence = sentenceFor(words, await freeBytes(dataDir), dataDir)
  return sentence === null ? fault : new Error(sentence, { cause: fault })
}

function sentenceFor(words: string, free: number, dataDir: string): string | null {
  if (/ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|disk is full/i.test(words)) {
    return `The disk that holds ${dataDir} is full: make room, or set DATA_DIR to a folder on another disk.`
  }
  if (/EROFS|Read-only file system|readonly database/i.test(words)) {
    return `${dataDir} is on a read-only disk: set DATA_DIR to a folder that Howl may write to.`
  }
  if (/EACCES|EPERM|Permission denied|unable to open database file/i.test(words)) {
    return `This user may not write to ${dataDir}: start Howl as the user who owns it, or set DATA_DIR to another folder.`
  }
  if (/ENOTDIR|EEXIST/.test(words)) {
    return `${dataDir} is not a folder: set DATA_DIR to one that Howl may write to.`
  }
  return free < FULL_DISK
    ? `The disk that holds ${dataDir} is full (${Math.round(free / 1024)} kB left): make room, or set DATA_DIR to a folder on another disk.`
    : null
}

async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return Infinity
  }
}
