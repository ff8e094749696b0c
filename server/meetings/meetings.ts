// What other domains may use of meetings.
export { meetingRoutes } from './routes.ts'
export { meetingsBetween, meetingsOn } from './activity-store.ts'
export { meetingsWith } from './attended-store.ts'
export { addMeeting } from './add-meeting.ts'
export { publishMeetings } from './publish-meetings.ts'
export { type DueReminder, dueReminders, putOffReminder, takeReminder } from './reminders-store.ts'
export { busyTimes, deleteMeeting as removeMeeting, type MeetingRow } from './store.ts'
