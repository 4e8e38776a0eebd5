"""GStreamer's webrtcbin as a WHIP publisher or a WHEP player, by urllib.

    URL=... TOKEN=... python3 client.py publish|play

Writes a JSON object a line: what it has sent or had so far. Ends, with DELETE, when its
standard input does. The token comes by the environment: a command line is for all to see.
"""

import json
import os
import sys
import threading
import urllib.parse
import urllib.request

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

SENDING = """
videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=240,framerate=20/1
  ! vp8enc deadline=1 cpu-used=8 keyframe-max-dist=2000 target-bitrate=300000 ! rtpvp8pay name=video picture-id-mode=15-bit
  ! application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96,rtcp-fb-nack-pli=true ! webrtc.
audiotestsrc is-live=true ! audioconvert ! audioresample ! opusenc ! rtpopuspay name=audio
  ! application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=97 ! webrtc.
"""

VIDEO = "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96,rtcp-fb-nack-pli=true"
AUDIO = "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=97,encoding-params=(string)2"


class Client:
    def __init__(self, mode):
        self.mode = mode
        self.url = os.environ["URL"]
        self.token = os.environ.get("TOKEN")
        self.location = None
        self.counts = {"video": 0, "audio": 0, "width": 0}
        self.loop = GLib.MainLoop()
        # With the rest of a pipeline behind it also where there is only webrtcbin: alone it would be no pipeline.
        rest = SENDING if mode == "publish" else "fakesrc num-buffers=0 ! fakesink"
        self.pipeline = Gst.parse_launch("webrtcbin name=webrtc bundle-policy=max-bundle " + rest)
        self.webrtc = self.pipeline.get_by_name("webrtc")
        # Kept: the binding takes webrtcbin's only reference to it, and would free it.
        self.agent = self.webrtc.get_property("ice-agent")
        # libnice leaves loopback out by itself.
        self.agent.emit("add-local-ip-address", "127.0.0.1")
        self.webrtc.connect("on-negotiation-needed", self.negotiate)
        self.webrtc.connect("notify::ice-gathering-state", self.gathered)
        self.webrtc.connect("pad-added", self.receive)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", self.failed)
        if mode == "play":
            direction = GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY
            for caps in (VIDEO, AUDIO):
                self.webrtc.emit("add-transceiver", direction, Gst.Caps.from_string(caps))
        else:
            for kind in ("video", "audio"):
                self.count(self.pipeline.get_by_name(kind).get_static_pad("src"), kind)

    def run(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        GLib.timeout_add(200, self.report)
        threading.Thread(target=self.until_told, daemon=True).start()
        self.loop.run()
        self.pipeline.set_state(Gst.State.NULL)
        if self.location:
            self.request(self.location, "DELETE")

    def negotiate(self, _):
        self.webrtc.emit("create-offer", None, Gst.Promise.new_with_change_func(self.offered))

    def offered(self, promise):
        # Each in a variable of its own: what the binding lets go is freed under the other.
        reply = promise.get_reply()
        offer = reply.get_value("offer")
        self.webrtc.emit("set-local-description", offer, Gst.Promise.new())

    def gathered(self, *_):
        state = self.webrtc.get_property("ice-gathering-state")
        if state == GstWebRTC.WebRTCICEGatheringState.COMPLETE and self.location is None:
            self.location = ""
            GLib.idle_add(self.exchange_or_end)

    def exchange_or_end(self):
        try:
            self.exchange()
        except Exception as error:  # whatever it is, nobody would hear of it in a callback
            self.end(str(error))

    def exchange(self):
        offer = self.webrtc.get_property("local-description").sdp.as_text()
        location, answer = self.request(self.url, "POST", offer, "application/sdp")
        self.location = urllib.parse.urljoin(self.url, location)
        _, message = GstSdp.SDPMessage.new_from_text(answer)
        description = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, message)
        self.webrtc.emit("set-remote-description", description, Gst.Promise.new())

    def request(self, url, method, body=None, content_type=None):
        request = urllib.request.Request(url, method=method, data=body.encode() if body else None)
        if content_type:
            request.add_header("Content-Type", content_type)
        if self.token:
            request.add_header("Authorization", "Bearer " + self.token)
        with urllib.request.urlopen(request) as response:
            return response.headers.get("Location"), response.read().decode()

    def receive(self, _, pad):
        if pad.get_direction() != Gst.PadDirection.SRC:
            return
        decoder = Gst.ElementFactory.make("decodebin")
        decoder.connect("pad-added", self.decoded)
        self.pipeline.add(decoder)
        decoder.sync_state_with_parent()
        pad.link(decoder.get_static_pad("sink"))

    def decoded(self, _, pad):
        structure = pad.get_current_caps().get_structure(0)
        kind = structure.get_name().split("/")[0]
        if kind == "video":
            self.counts["width"] = structure.get_int("width").value
        sink = Gst.ElementFactory.make("fakesink")
        self.pipeline.add(sink)
        sink.sync_state_with_parent()
        self.count(pad, kind)
        pad.link(sink.get_static_pad("sink"))

    def count(self, pad, kind):
        def counted(*_):
            self.counts[kind] += 1
            return Gst.PadProbeReturn.OK

        pad.add_probe(Gst.PadProbeType.BUFFER | Gst.PadProbeType.BUFFER_LIST, counted)

    def report(self):
        state = self.webrtc.get_property("connection-state").value_nick
        print(json.dumps({"state": state, **self.counts}), flush=True)
        return True

    def until_told(self):
        sys.stdin.read()
        GLib.idle_add(self.loop.quit)

    def failed(self, _, message):
        self.end(str(message.parse_error()))

    def end(self, error):
        print(json.dumps({"error": error}), flush=True)
        self.loop.quit()


Gst.init(None)
Client(sys.argv[1]).run()
