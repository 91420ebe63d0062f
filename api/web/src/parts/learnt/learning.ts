// The server's learned data, for its host.

import { signal } from "@preact/signals";
import { ask } from "../../client";
import type { CollectionOut } from "../../schema";

export const collection = signal<CollectionOut | null>(null);

async function told(answer: Promise<CollectionOut>): Promise<void> {
  collection.value = await answer;
}

export const openLearnt = (): Promise<void> => told(ask<CollectionOut>("GET", "/collection"));
export const turn = (on: boolean): Promise<void> => told(ask<CollectionOut>("PATCH", "/collection", { on }));
export const forgetPhoto = (id: string): Promise<void> => told(ask<CollectionOut>("DELETE", `/collection/photos/${id}`));
