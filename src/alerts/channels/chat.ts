import type { Alert } from '../../model/server/alert.ts';
import type { Channel, SendContext, SendOutcome } from './channel.ts';
import { postJson } from './post-json.ts';

type Chat = 'slack' | 'discord';

/** A room of a chat, through its incoming webhook. */
export class ChatChannel implements Channel {
  readonly #url: URL;
  readonly #chat: Chat;

  constructor(url: URL, chat: Chat) {
    this.#url = url;
    this.#chat = chat;
  }

  send(alert: Alert, context: SendContext): Promise<SendOutcome> {
    return postJson(this.#url, JSON.stringify(chatBody(this.#chat, alert)), {}, context);
  }
}

export function chatBody(chat: Chat, alert: Alert): object {
  return chat === 'slack' ? slackBody(alert) : discordBody(alert);
}

/** Names and subjects of commits come from anywhere: these three would call people or make links (Slack's docs). */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** As Slack, Mattermost and Rocket.Chat read it. */
function slackBody({ title, details, url }: Alert): object {
  const lines = [title, ...details].map(slackText);
  return { text: [...lines, ...(url === undefined ? [] : [`<${url}|Open the change>`])].join('\n') };
}

/** Discord refuses more. */
const MOST_CHARACTERS = 2000;

function discordText(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]()<@:-]/gu, '\\$&');
}

function discordBody({ title, details, url }: Alert): object {
  const link = url === undefined ? '' : `\n<${url}>`;
  const text = [`**${discordText(title)}**`, ...details.map(discordText)].join('\n');
  return {
    content: `${text.slice(0, MOST_CHARACTERS - link.length)}${link}`,
    // A commit's subject must not mention (and so notify) anyone.
    allowed_mentions: { parse: [] },
  };
}
