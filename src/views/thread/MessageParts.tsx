import type { Attachment } from '../../schemas/message.ts'
import type { MessagePart } from '../../schemas/message-part.ts'
import { Product, Share, Template } from './CardPart.tsx'
import { Location } from './LocationPart.tsx'
import { Call, OptIn, Press, Referral, Unknown } from './NoticePart.tsx'
import { Sticker } from './StickerPart.tsx'
import { Story } from './StoryPart.tsx'

type PartsProps = { parts: readonly MessagePart[]; files: readonly Attachment[] }

/** The parts of a message (`src/schemas/message-part.ts`). `files`: all attachments of the message. */
export default function MessageParts({ parts, files }: PartsProps) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never change their order
    <PartView key={index} part={part} files={files} />
  ))
}

function PartView({ part, files }: { part: MessagePart; files: readonly Attachment[] }) {
  switch (part.kind) {
    case 'story_reply':
    case 'story_mention':
      return <Story part={part} files={files} />
    case 'share':
      return <Share part={part} files={files} />
    case 'product':
      return <Product part={part} files={files} />
    case 'referral':
      return <Referral part={part} files={files} />
    case 'location':
      return <Location part={part} />
    case 'sticker':
    case 'gif':
      return <Sticker part={part} files={files} />
    case 'template':
      return <Template part={part} files={files} />
    case 'postback':
    case 'quick_reply':
      return <Press kind={part.kind} />
    case 'call':
      return <Call part={part} />
    case 'opt_in':
      return <OptIn part={part} />
    case 'unknown':
      return <Unknown part={part} />
  }
}
