/**
 * `parameters`, `quickReplies` and `buttons` are numbers, the others characters. Those of quick replies and buttons are the
 * network's (Send API); `buttonText` is the text above buttons.
 */
export const structuredLimits = {
  parameters: 20,
  parameter: 200,
  templateName: 512,
  quickReplies: 13,
  buttons: 3,
  title: 20,
  buttonText: 640,
  url: 2_000,
  cardTitle: 80,
  cardSubtitle: 80,
} as const
