/** The password of the demo accounts, as the README tells it. */
export const demoPassword = 'inbox-demo-2026'
