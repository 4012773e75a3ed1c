import { dateAndTime } from '../../domain/moments.ts'
import type { Attachment } from '../../schemas/message.ts'
import type { PartOf } from '../../schemas/message-part.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { PartGroup } from './PartGroup.tsx'
import { PartLink } from './PartLink.tsx'
import { Media } from './PartMedia.tsx'

type StoryProps = { part: PartOf<'story_reply' | 'story_mention'>; files: readonly Attachment[] }

/** The story that a customer replied to, or that mentions the page. */
export function Story({ part, files }: StoryProps) {
  const name = part.kind === 'story_reply' ? t('thread.storyReply') : t('thread.storyMention')
  const missing = (
    <p className="grid h-24 w-40 place-items-center rounded-ui border border-line bg-sunken px-2 text-center text-ink-2 text-xs">
      {t('thread.storyNotShown')}
    </p>
  )
  return (
    <PartGroup label={name} className="flex max-w-full flex-col gap-1 border-edge border-l-2 pl-2">
      <p className="text-ink-2 text-xs">{name}</p>
      <Media
        attachment={part.file == null ? undefined : files[part.file]}
        alt={t('thread.story')}
        className="block h-[200px] w-auto min-w-24 max-w-full rounded-ui border border-line bg-sunken object-scale-down"
        missing={missing}
      />
      <PartLink href={part.link}>{t('thread.openStory')}</PartLink>
      {part.expires_at && (
        <p className="text-2xs text-ink-3">{t('thread.storyUntil', { moment: dateAndTime(part.expires_at) })}</p>
      )}
    </PartGroup>
  )
}
