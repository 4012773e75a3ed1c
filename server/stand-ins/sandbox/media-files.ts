import { crc32, deflateSync } from 'node:zlib'
import { createRandom } from './random.ts'

type Colour = readonly [red: number, green: number, blue: number]

/** Encodes a PNG; `paint` returns the colour of each pixel. */
function png(width: number, height: number, paint: (x: number, y: number) => Colour): Buffer<ArrayBuffer> {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(paint(x, y), y * (1 + width * 3) + 1 + x * 3)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits per channel, RGB.
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

function colour(hue: number, lightness: number): Colour {
  const channel = (shift: number) => {
    const angle = (shift + hue / 30) % 12
    const saturation = 0.5 * Math.min(lightness, 1 - lightness)
    return Math.round(255 * (lightness - saturation * Math.max(-1, Math.min(angle - 3, 9 - angle, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}

/** A person's picture: head and shoulders on a coloured background. */
export function portrait(seed: number): Buffer<ArrayBuffer> {
  const size = 96
  const random = createRandom(seed)
  const hue = random.between(0, 359)
  const ground = colour(hue, 0.82)
  const shirt = colour((hue + 150) % 360, 0.4)
  const skin = colour(28, random.between(45, 70) / 100)
  const hair = colour(25, random.between(8, 22) / 100)
  return png(size, size, (x, y) => {
    const acrossHead = (x - 48) / 17
    const downHead = (y - 42) / 21
    if ((x - 48) ** 2 / 40 ** 2 + (y - 100) ** 2 / 36 ** 2 < 1) return shirt
    if (acrossHead ** 2 + downHead ** 2 < 1) return downHead < -0.35 ? hair : skin
    if (acrossHead ** 2 + ((y - 38) / 24) ** 2 < 1.25 && y < 44) return hair
    return ground
  })
}

/** A page's picture: a lighter disc on a coloured background. */
export function emblem(seed: number): Buffer<ArrayBuffer> {
  const hue = createRandom(seed).between(0, 359)
  const [ground, disc, dot] = [colour(hue, 0.35), colour(hue, 0.75), colour((hue + 180) % 360, 0.55)]
  return png(96, 96, (x, y) => {
    const distance = Math.hypot(x - 48, y - 48)
    return distance < 14 ? dot : distance < 32 ? disc : ground
  })
}

/** A customer's photo: a poster with bars and a disc. */
export function photo(seed: number): Buffer<ArrayBuffer> {
  const random = createRandom(seed)
  const hue = random.between(0, 359)
  const [width, height] = random.chance(0.5) ? [320, 240] : [240, 320]
  const bars = Array.from({ length: 4 }, () => ({
    y: random.between(20, height - 30),
    length: random.between(80, width - 60),
  }))
  const [sunX, sunY, sun] = [random.between(60, width - 60), random.between(50, 110), random.between(24, 44)]
  return png(width, height, (x, y) => {
    if (x < 8 || y < 8 || x >= width - 8 || y >= height - 8) return [250, 250, 248]
    if (Math.hypot(x - sunX, y - sunY) < sun) return colour((hue + 40) % 360, 0.7)
    if (bars.some((bar) => y >= bar.y && y < bar.y + 12 && x >= 28 && x < 28 + bar.length)) return colour(hue, 0.92)
    return colour((hue + Math.floor((y / height) * 50)) % 360, 0.45)
  })
}

/** A moving picture: a disc that goes from left to right. */
export function gif(seed: number): Buffer<ArrayBuffer> {
  const [width, height] = [120, 80]
  const hue = createRandom(seed).between(0, 359)
  const palette = [colour(hue, 0.85), colour((hue + 180) % 360, 0.45), colour(0, 1), colour(0, 0)].flat()
  const frames = [30, 50, 70, 90].map((centre) => {
    const pixels = Array.from({ length: width * height }, (_, index) =>
      Math.hypot((index % width) - centre, Math.floor(index / width) - height / 2) < 20 ? 1 : 0,
    )
    // Shown for 0.2 s.
    const control = [0x21, 0xf9, 4, 0, 20, 0, 0, 0]
    return [...control, 0x2c, 0, 0, 0, 0, width, 0, height, 0, 0, 2, ...blocksOf(uncompressed(pixels)), 0]
  })
  const loop = [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0', 'latin1'), 3, 1, 0, 0, 0]
  const head = [...Buffer.from('GIF89a', 'latin1'), width, 0, height, 0, 0x81, 0, 0, ...palette]
  return Buffer.from([...head, ...loop, ...frames.flat(), 0x3b])
}

/** The codes of GIF for pixels of 2 bits, without compression: 3 bits each, and a clear code before the codes grow. */
function uncompressed(pixels: readonly number[]): number[] {
  const [clear, end] = [4, 5]
  const codes = pixels.flatMap((pixel, index) => (index % 2 === 0 ? [clear, pixel] : [pixel]))
  const bytes: number[] = []
  let [bits, held] = [0, 0]
  for (const code of [...codes, end]) {
    held |= code << bits
    bits += 3
    for (; bits >= 8; bits -= 8) {
      bytes.push(held & 0xff)
      held >>= 8
    }
  }
  return bits > 0 ? [...bytes, held & 0xff] : bytes
}

/** Blocks of at most 255 bytes, each with its length. */
function blocksOf(bytes: readonly number[]): number[] {
  return Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) => {
    const block = bytes.slice(index * 255, (index + 1) * 255)
    return [block.length, ...block]
  }).flat()
}

/** A voice message: two seconds of changing tones. */
export function voice(seed: number): Buffer<ArrayBuffer> {
  const rate = 8_000
  const random = createRandom(seed)
  const tones = Array.from({ length: 8 }, () => random.between(140, 320))
  const samples = Buffer.alloc(rate * 2)
  for (let index = 0; index < samples.length; index++) {
    const at = index / rate
    const tone = tones[Math.floor(at * 4)] ?? 200
    const loudness = Math.sin(Math.PI * ((at * 4) % 1))
    samples[index] = 128 + Math.round(50 * loudness * Math.sin(2 * Math.PI * tone * at))
  }
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  // PCM, mono, 8 bits per sample.
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

/** A PDF with one line of text. */
export function pdf(line: string): Buffer<ArrayBuffer> {
  const content = `BT /F1 18 Tf 60 760 Td (${line.replace(/[()\\]/g, '')}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = text.length
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines.join('')}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
