import { chmod, mkdir, stat } from 'node:fs/promises'

/** Accessible only to the account that Howl runs under. */
export const FILE_MODE = 0o600
export const FOLDER_MODE = 0o700

/** Creates a folder that nobody else can enter, or restricts an existing one. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  const { mode } = await stat(folder)
  if ((mode & 0o777) !== FOLDER_MODE) await chmod(folder, FOLDER_MODE)
}
