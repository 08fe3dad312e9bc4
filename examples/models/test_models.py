"""Plays the bot against a server of its own: `python -m unittest`, with the arena installed."""

import json
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

from bot import find_number

from arena import play_match, variant


class Server(BaseHTTPRequestHandler):
    """Chooses the first action."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        reply = {"choices": [{"message": {"content": 'I look.\n{"action": 1}'}, "finish_reason": "stop"}]}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())

    def log_message(self, *_):
        pass


class ModelTest(unittest.TestCase):
    def test_it_plays_every_family_without_a_fault(self):
        with HTTPServer(("127.0.0.1", 0), Server) as server:
            Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}/v1"
            model = {"bot": str(Path(__file__).parent), "base_url": url}
            for game in ("lives", "thirty-one", "ready-money", "cuccu", "cambio"):
                with self.subTest(game):
                    record = play_match(variant(game), [model, "random"], seed="a test")
                    self.assertEqual(record["faults"], [])
            server.shutdown()

    def test_an_answer_is_json_or_a_number_and_never_guessed(self):
        for text in (
            '{"action": 3}',
            'So: 1 or 2?\n{"action": 3}',
            '```json\n{"action": 3}\n```',
            "I pass.\n3",
        ):
            self.assertEqual(find_number(text), 3)
        for text in ("", "pass", "I play 3", '{"action": 3} I think', '{"action": "3"}', "[3]", "3.5"):
            self.assertIsNone(find_number(text))
