import { chmod, mkdir, stat } from 'node:fs/promises'

/** Read and written by the account that Howl runs under, by nobody else on the machine. */
export const FILE_MODE = 0o600
export const FOLDER_MODE = 0o700

/** Makes a folder that nobody else can enter, and closes one that is there. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  const { mode } = await stat(folder)
  if ((mode & 0o777) !== FOLDER_MODE) await chmod(folder, FOLDER_MODE)
}
