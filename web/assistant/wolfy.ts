// One part for both: every other page would have to name each file of it.
export { AssistantPage } from './AssistantPage.tsx'
export { beginAbout } from './chat-store.ts'
export { WidgetHost } from './WidgetHost.tsx'
