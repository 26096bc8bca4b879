import { type WordsAsked, wordMarks } from './wordMarks.ts'

self.onmessage = ({ data }: MessageEvent<WordsAsked>) => self.postMessage(wordMarks(data))
