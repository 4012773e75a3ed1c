import { useState } from 'react'
import type { Platform } from '../../schemas/conversation.ts'
import { classNames } from './class-names.ts'
import { embeddable } from './embeddable.ts'

const fallbackPicture = '/avatar.png'

/** White text on each of these colours has a contrast of at least 4.5:1. */
const tints = ['#b8470a', '#0b7285', '#5f3dc4', '#237a36', '#a61e4d', '#1864ab', '#7a5200', '#5c5f66']

const sizes = {
  xs: 'size-4.75 text-[0.5625rem]',
  sm: 'size-7 text-2xs',
  md: 'size-9 text-xs',
  lg: 'size-10 text-base',
  xl: 'size-13 text-xl',
} as const

const tintOf = (name: string): string => {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return tints[sum % tints.length] ?? '#5c5f66'
}

const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word))
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => Array.from(word ?? '')[0] ?? '')
  return letters.join('').toLocaleUpperCase()
}

const networkMarks = {
  messenger: 'bg-messenger',
  instagram: 'bg-[linear-gradient(45deg,#f9a03f,#d62976_55%,#7b3fe4)]',
} as const

type AvatarProps = {
  name: string | null
  picture?: string | null | undefined
  platform?: Platform | null | undefined
  size?: keyof typeof sizes
}

/**
 * Shows a person's picture. Without a picture, shows the initials. If the picture fails to load or nothing is known
 * about the person, shows /avatar.png (spec section 8, fallbacks). Decorative for screen readers, because the name is
 * always shown next to it.
 */
export function Avatar({ name, picture: address, platform, size = 'lg' }: AvatarProps) {
  const picture = address == null ? null : embeddable(address)
  const [failedPicture, setFailedPicture] = useState<string | null>(null)
  const initials = name === null ? '' : initialsOf(name)
  const failed = picture != null && picture === failedPicture
  const source = picture && !failed ? picture : failed || initials === '' ? fallbackPicture : null
  return (
    <span aria-hidden="true" className={classNames('relative inline-block shrink-0 select-none', sizes[size])}>
      {source === null ? (
        <span
          className="grid size-full place-items-center rounded-full font-semibold text-[#fff]"
          style={{ backgroundColor: tintOf(name ?? '') }}
        >
          {initials}
        </span>
      ) : (
        <img
          src={source}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          className="size-full rounded-full bg-sunken object-cover"
          onError={() => {
            if (source === picture) setFailedPicture(picture)
          }}
        />
      )}
      {platform && (
        <span
          className={classNames(
            'absolute -right-0.5 -bottom-0.5 size-3.75 rounded-full border-2 border-panel',
            networkMarks[platform],
          )}
        />
      )}
    </span>
  )
}
