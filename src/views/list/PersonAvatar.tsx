import type { ComponentProps } from 'react'
import { knownNameOf } from '../../domain/list/conversation-text.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { Avatar } from '../components/Avatar.tsx'
import { usePicture } from '../use-list.ts'

type PersonAvatarProps = { conversation: Conversation; size?: ComponentProps<typeof Avatar>['size'] }

/** The profile picture of the person in a conversation. */
export function PersonAvatar({ conversation, size = 'lg' }: PersonAvatarProps) {
  const picture = usePicture(conversation)
  return <Avatar name={knownNameOf(conversation)} picture={picture} platform={conversation.platform} size={size} />
}
