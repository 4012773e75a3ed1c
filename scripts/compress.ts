import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'

/** Bytes. A smaller file fits into one packet as it is. The server compresses nothing below it either. */
const smallest = 1_024

/** Writes `<file>.br` beside each text file of the directory, for the server to send as it is (server/static-files.ts). */
export async function compressFiles(directory: string): Promise<void> {
  const files = globSync('**/*.{css,html,js,svg}', { cwd: directory })
  const compressFile = async (file: string) => {
    const path = join(directory, file)
    const content = await readFile(path)
    if (content.length >= smallest) await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
  }
  await Promise.all(files.map(compressFile))
}
